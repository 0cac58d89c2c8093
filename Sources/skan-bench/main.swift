print("skan-bench")
