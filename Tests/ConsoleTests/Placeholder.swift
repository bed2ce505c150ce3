// The first suite comes with the target.
