package main
import ("bufio";"bytes";"context";"encoding/json";"errors";"fmt";"os";"strings";"time";"github.com/mcplogic/mcplogic/engine")
type langCase struct {
	Setup     string              `json:"setup,omitempty"`
	Goal      string              `json:"goal"`
	Max       int                 `json:"max,omitempty"`
	Status    string              `json:"status"`
	Solutions []map[string]string `json:"solutions,omitempty"`
	Error     string              `json:"error,omitempty"`
	Output    string              `json:"output,omitempty"`
}
func main(){
 if len(os.Args)>2 {
 p,err:=engine.LoadText("t.pl",os.Args[1],nil); if err!=nil{fmt.Println(err);return}
 n:=0
 t0:=time.Now()
 for s,err:=range p.Query(context.Background(),os.Args[2],nil){ if err!=nil{fmt.Println("ERR",err,time.Since(t0));return}; fmt.Println(s); n++; if n>10 {break} }
 fmt.Println("end",time.Since(t0)); return }
 f,_:=os.Open(os.Args[1]); sc:=bufio.NewScanner(f); sc.Buffer(nil,1<<22)
 enc:=json.NewEncoder(os.Stdout); enc.SetEscapeHTML(false)
 prog,_:=engine.LoadText("s.pl","",nil)
 for sc.Scan(){ if len(bytes.TrimSpace(sc.Bytes()))==0{continue}
  var c langCase; json.Unmarshal(sc.Bytes(),&c)
  got:=langCase{Goal:c.Goal,Max:c.Max,Status:"false",Setup:c.Setup}
  var out bytes.Buffer
  pr:=prog
  if c.Setup!="" { pr,_=engine.LoadText("s.pl",c.Setup,nil) }
  limit:=c.Max; if limit==0{limit=10}
  for s,err:=range pr.Query(context.Background(),c.Goal,&engine.RunOptions{Output:&out,Time:10*time.Second}){
   if err!=nil{ got.Status="error"; var ex *engine.Exception; if errors.As(err,&ex){ if fm:=ex.Formal();fm!=nil{got.Error=pr.FormatNumbered(fm)}else{got.Error=pr.FormatNumbered(ex.Term)}}else{got.Error=err.Error()}; break}
   got.Status="true"; m:=map[string]string{}
   for _,n:=range s.Names(){ if !strings.HasPrefix(n,"_"){m[n]=pr.FormatNumbered(s.Get(n))}}
   got.Solutions=append(got.Solutions,m)
   if len(got.Solutions)==limit{break}
  }
  got.Output=out.String()
  enc.Encode(got)
 }
}
