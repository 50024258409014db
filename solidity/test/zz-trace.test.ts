import { it } from '@jest/globals';
import { keccak256, toHex, zeroAddress } from 'viem';
import { addressOf, artifacts, deployFactory, mintData, settleData } from './support/forwarders.js';
import { startWorld } from './support/world.js';
it('traces', async () => {
  const world = await startWorld(); const factory = await deployFactory(world);
  const token = await world.deploy(artifacts.TestToken!, ['USD Coin', 'USDC', 6]);
  const settlement='0x5e771e5e771e5e771e5e771e5e771e5e771e5e77';
  await world.send({ to: token, data: mintData(settlement, 1n) });
  const terms={settlement, feeRecipient: zeroAddress, feeBasisPoints:0, homeChainId:31337n} as any;
  const salts=[0,1,2,3].map(i=>(keccak256(toHex('x'+i)).slice(0,34)+'0'.repeat(32)) as any);
  for (const round of ['first','later']) {
    for (const s of salts) await world.send({ to: token, data: mintData(await addressOf(world,factory,terms,s), 1000000n) });
    const r = await world.send({ to: factory, data: settleData([{terms, token, salts}]) });
    const t:any = await world.client.request({method:'debug_traceTransaction' as any, params:[r.transactionHash,{disableStorage:true,disableMemory:true,disableStack:true}] as any});
    const logs=t.structLogs; 
    const ends=logs.map((l:any,i:number)=>l.depth===1&&l.op==='LOG3'?i:-1).filter((i:number)=>i>=0);
    const seg=logs.slice(ends[1]+1,ends[2]+1);
    const sum:any={}; let total=logs[ends[1]+1].gas-logs[ends[2]+1].gas;
    for(let i=0;i<seg.length;i++){const l=seg[i]; const call=/CALL|CREATE/.test(l.op); const c= call ? 0 : l.gasCost; const k=l.depth; const big=l.gasCost>=90&&!call; (sum[k]??={misc:0,n:0}); sum[k].n++; if(big) sum[k][l.op]=(sum[k][l.op]??'')+' '+l.gasCost; else sum[k].misc+=c; if(call) sum[k][l.op+i]=l.gasCost;}
    console.log(round,total,JSON.stringify(sum,null,1));
  }
  await world.stop();
});
