"""Recomputes the fixture of LedgerEncodingTests.swift from the layout alone: python3 recompute.py"""
import hashlib
import struct
def head(m,n):
    if n<24: return bytes([m<<5|n])
    for info,fmt,lim in ((24,'>B',1<<8),(25,'>H',1<<16),(26,'>I',1<<32),(27,'>Q',1<<64)):
        if n<lim: return bytes([m<<5|info])+struct.pack(fmt,n)
def enc(v):
    if v is None: return b'\xf6'
    if isinstance(v,bool): raise TypeError
    if isinstance(v,int): return head(0,v) if v>=0 else head(1,-1-v)
    if isinstance(v,bytes): return head(2,len(v))+v
    if isinstance(v,str): b=v.encode(); return head(3,len(b))+b
    if isinstance(v,list): return head(4,len(v))+b''.join(map(enc,v))
events=[
 ["started","att_1","primary","ses_1","in-house","app","account",None,1750000000123,None,"completed_pass",1,None,None,"v1",None],
 ["ended","att_1","primary","ses_1","in-house","app","account","final-1",1750000000723,1750000000722,"completed_pass",1,"verified","第1号","v1",1],
 ["adjusted","att_2","shadow","ses_2","検証","銀行 𠮷野","口座\u3000開設","r\"ef\u0000",-1,0,"non_billable",-9223372036854775808,"failed","","v\u0301",9223372036854775807],
]
prev=bytes(32)
for i,e in enumerate(events,1):
    b=enc(["sekisho-ledger-1",i,prev]+e)
    h=hashlib.sha256(b).digest()
    print(i,h.hex(),len(b), b.hex() if i==1 else '')
    prev=h
