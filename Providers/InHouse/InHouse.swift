// InHouse
