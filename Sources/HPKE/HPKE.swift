// HPKE
