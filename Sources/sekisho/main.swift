print("sekisho")
