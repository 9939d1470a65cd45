import numpy as np, sys
from derive import load_model, random_chain, random_tree
from derive.sweeps import to_recursion
from derive.run import run
from derive import reference as ref
from derive.states import random_state
exec(open('t1.py').read().split("for n,e")[0])
FD["fd2"]=FD["fd1"]
KINDS = ("revolute", "prismatic", "helical", "cylindrical", "universal", "planar", "spherical")
models=[load_model(n) for n in ("panda","go2","talos_torso","stanford","g1","ur5","puma560")]+[random_tree(7,2,KINDS,floating=True), random_chain(6,3,KINDS), random_tree(9,5,KINDS)]
rng=np.random.default_rng(0)
ID=to_recursion({"T":"H phi (M phi' (H' qdd + a) + b + B f_0) + J_a qdd"})
fds={n:to_recursion({"qdd":e},armature=True) for n,e in FD.items()}
for m in models:
    s=random_state(m,rng); 
    tips=[t for t in m.tips if t.body>=0]
    f=rng.normal(size=(len(tips),6))
    if len(tips)!=len(m.tips): print(m.name,"ground tips"); 
    out=run(ID,m,{"q":s.q,"qd":s.qd,"qdd":s.qdd,"f_0":f},axes="world")["T"]
    r=ref.inverse_dynamics(m,s.q,s.qd,s.qdd,f)
    line=[m.name, abs(out-r).max()/abs(r).max()]
    if not m.has_mimics:
        for n,rec in fds.items():
            o=run(rec,m,{"q":s.q,"qd":s.qd,"T":r,"f_0":f},axes="world")["qdd"]
            line.append((n,abs(o-s.qdd).max()))
    print(line)
