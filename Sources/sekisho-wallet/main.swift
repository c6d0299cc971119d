print("sekisho-wallet")
