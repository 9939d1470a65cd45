import numpy as np, sys, time
from derive import load_model, random_chain, random_tree
from derive.sweeps import to_recursion
from derive.run import run
from derive.model_order import papers_order
from derive.operators import evaluate, parse
from derive.operators.spaces import *
from derive.operators.counterexample import sample
KINDS = ("revolute", "prismatic", "helical", "cylindrical", "universal", "planar", "spherical")
models=[random_chain(4,1),random_tree(7,2,KINDS,floating=True), random_chain(6,3,KINDS), random_tree(9,5,KINDS),random_tree(9,6)]
EX=["Mass","inv(Mass)","I + H phi K","I - H psi K","J","J'","Omega_0","Lambda","J inv(Mass) J'","J inv(Mass)","Omega","phi","psi'","phi M phi'","psi M phi'","H phi M phi' H' H phi M phi' H'","(I + H phi K) D (I + H phi K)'",
"1/2 qd' Mass qd","T' qd","qd' inv(Mass) T","phi' H' qd","T'Mass","E_phi","K","H - H","inv(P)","R","Upsilon","Omega_0 f_0","Lambda f_0","J' Lambda f_0","P","f_0' Omega_0 f_0","Lambda J inv(Mass) T", "B B'", "K K'","psi_tilde", "K'psi' K", "inv(Mass_a)"]
for text in EX:
    e=parse(text)
    try: rec=to_recursion(e,given=("a","b","g"))
    except Exception as x:
        print(text, type(x).__name__, str(x)[:150]); continue
    worst=0
    for i,m in enumerate(models):
        s=sample(m,i)
        try: want=evaluate(e,s.system,armature=rec.armature)
        except Exception as x:
            print("   eval", text,m.name,x); continue
        npts=len(s.system.points)
        ins={"q":np.array(s.q)}
        for n,v in s.system.vectors.items():
            sp=parse(n).codomain
            o=papers_order(m,sp,npts); a=np.empty(len(o)); a[o]=v[:,0]; ins[n]=a
        if rec.armature: continue
        got=np.asarray(run(rec,m,ins)["result"]).reshape(want.shape if 1 in want.shape else -1, *( () if 1 in want.shape else (want.shape[1],)))
        ro,co=papers_order(m,e.codomain,npts),papers_order(m,e.domain,npts)
        got=got.reshape(len(ro),len(co))[np.ix_(ro,co)]
        worst=max(worst,abs(got-want).max()/max(1,abs(want).max()))
    print(f"{text:45s} {len(rec.sweeps)} {rec.complexity:14s} {worst:.1e}", "" if worst<1e-10 else "<<<<<<<<<<<")
