// Values from literals.
import Hits

let update: [String: Value] = ["event": "openScreen", "screenName": "Home"]
print(update["event"] ?? .absent)
