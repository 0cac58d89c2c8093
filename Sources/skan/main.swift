print("skan")
