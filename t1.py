from derive.sweeps import to_recursion
FD={ "fd1":"(I - H psi K)' inv(D) (I - H psi K) (T - H phi (M phi' a + b + B f_0))",
"fd3":"(I - H psi K)' inv(D) (T - H psi (K T + M phi' a + b + B f_0))",
"fd4":"(I - H psi K)' inv(D) ((I - H psi K) T - H psi_tilde P a - H psi (b + B f_0)) - K' psi' tau_bar' a - G' a"}
for n,e in FD.items():
    r=to_recursion({"qdd":e})
    print(n,len(r.sweeps), r.complexity)
    for s in r.sweeps:
        print(" ",s.direction)
        for st in s.statements:
            print("    ",st.target.name,"=", " + ".join(f"{t.coefficient}·"+" ".join(f.name+("~" if f.tilde else "")+("*" if f.adjoint else "")+f"({f.place.value})" for f in t.factors) for t in st.terms), st.action.value if st.action.value!="sum" else "")
