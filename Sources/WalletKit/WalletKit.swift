// WalletKit
