// Stands in for a layer that has no file yet.
