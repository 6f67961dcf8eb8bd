/** Pages that try to exhaust system resources. */
export const BOMBS = {
  'endless loop': '<script>for(;;);</script>',
  'DOM bomb in an endless loop': '<script>for(;;)document.body.append(document.createElement("div"))</script>',
  'dialog and fetch storm':
    '<script>setInterval(()=>{for(let i=0;i<200;i++)fetch("/"+Math.random());alert(1)},1)</script>',
  'memory outside the JavaScript heap': '<script>const kept=[];for(;;)kept.push(new Uint8Array(16e6).fill(1))</script>',
  'memory in the JavaScript heap':
    '<script>const kept=[];for(;;)kept.push(new Array(1e5).fill(Math.random()))</script>',
  'nested frames':
    '<script>const grow=d=>{for(let i=0;i<3;i++){const f=d.createElement("iframe");d.body.append(f);setTimeout(grow,0,f.contentDocument)}};grow(document);setInterval(()=>{document.querySelector("iframe").remove();grow(document)},500)</script>',
  'a frame for each of many sites':
    '<script>let n=0;setInterval(()=>{for(let i=0;i<20;i++){const f=document.createElement("iframe");f.src="https://site"+n+++".example/";document.body.append(f)}},50)</script>',
  'memory in many workers':
    '<script>for(let i=0;i<8;i++)new Worker(URL.createObjectURL(new Blob(["const kept=[];for(;;)kept.push(new Array(1e5).fill(Math.random()))"])))</script>',
  '1,000 workers':
    '<script>const u=URL.createObjectURL(new Blob(["for(;;);"]));for(let i=0;i<1000;i++)new Worker(u)</script>',
} as const;
