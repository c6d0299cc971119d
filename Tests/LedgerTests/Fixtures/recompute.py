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
# Layout 2: the same, then call, actor, note, month, amount, currency, statement. Layout 1 where there is none of them.
none=[None]*7
later=[
 ["started","att_3","fallback","ses_3","alpha","app","account",None,1764547200000,None,"evidence_submitted",1,None,"第1号","v2",None]+["submit"]+[None]*6,
 ["uncertain","att_3","fallback","ses_3","alpha","app","account","p-3",1764547200001,None,"evidence_submitted",1,None,"第1号","v2",4]+["submit"]+[None]*6,
 ["adjusted","att_3","fallback","ses_3","alpha","app","account","p-3",1764547200002,1764547199999,"evidence_submitted",-1,None,None,"v2",5]+[None,"経理 ops","請求書\u3000の訂正\n","2026-11",-9223372036854775808,"JPY",None],
 ["started","att_4","primary","ses_4","in-house","app","account",None,1764547200003,None,"completed_pass",1,None,None,"v2",None]+none,
 ["closed","","primary","","alpha","","",None,1764547200004,None,"non_billable",0,None,None,"v2",None]+[None,"ops","", "2026-11",0,"JPY",hashlib.sha256(b"statement").digest()],
 ["resolved","att_3","fallback","ses_3","alpha","app","account","p-3",1764547200005,None,"non_billable",1,"rejected",None,"v2",5]+["","","","",9223372036854775807,"",b""],
]
prev=bytes(32)
for i,e in enumerate([e+none for e in events]+later,1):
    second=e[16:]!=none
    b=enc(["sekisho-ledger-2" if second else "sekisho-ledger-1",i,prev]+(e if second else e[:16]))
    h=hashlib.sha256(b).digest()
    print(i,h.hex(),len(b), b.hex() if i in (1,4) else '')
    prev=h
