print("tagworks")
