"""Alert evaluation and root-cause search: pure functions over values; `now` is an argument."""
