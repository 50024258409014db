import { SANDBOX_TERMS } from '#sandbox/chain/sandbox-chain.js';
import { eventually } from '../support/eventually.js';
import { REHEARSED_NETWORK } from './production-service.js';
import type { ProductionWorld } from './production-world.js';
import type { Rehearsal } from './rehearsal.js';

const UNITS = 12_500_000n;

/** Starts one API and one worker, and follows a payment to the settlement address. @returns the two */
export async function collectOnePayment(rehearsal: Rehearsal, world: ProductionWorld) {
  const { service, publicUrl, httpPorts, token, wallet, openShop } = world;
  const findings = await service.operator<{ verdict: string }[]>('network', 'check', REHEARSED_NETWORK);
  rehearsal.demand(
    findings.every(({ verdict }) => verdict !== 'wrong'),
    JSON.stringify(findings),
  );
  rehearsal.step(`\`network check\` finds nothing wrong in ${findings.length} checks, by https.`);

  const [api, worker] = await Promise.all([service.startApi(httpPorts[0]!), service.startWorker()]);
  await eventually(async () => (await fetch(`${publicUrl}/health`).catch(() => undefined))?.ok);
  rehearsal.step('API and worker run, SERVICE_ENV=production, and answer through the proxy.');

  const shop = await openShop();
  rehearsal.demand(shop.apiKey.startsWith('svc.prd.'), 'the key is one of production');
  rehearsal.step('The first Owner joins by invitation with two factors, and makes a production key.');

  const webhook = { url: 'https://127.0.0.1/hook', event_type: 'payment_request' };
  const refused = await shop.api.post(`/v1/account/${shop.accountId}/webhook`, webhook).then(
    () => 'taken',
    (error: Error) => error.message,
  );
  rehearsal.demand(refused.startsWith('url'), `a webhook to the loopback address is refused: ${refused}`);
  rehearsal.step(`A webhook to the loopback address is refused: "${refused}"`);

  const balance = () => wallet.balance(token, SANDBOX_TERMS.settlementAddress);
  const before = await balance();
  const request = await shop.request('order-1');
  await wallet.send(token, request.address, UNITS);
  rehearsal.step(`Payment request ${request.id} is created, and paid on the chain.`);

  const seen = new Set<string>();
  await eventually(async () => {
    seen.add(await shop.statusOf(request));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return seen.has('completed');
  });
  rehearsal.step(`Polling, once a second, saw: ${[...seen].join(', ')}.`);

  await eventually(async () => (await balance()) - before === UNITS);
  rehearsal.step('12.50 USDC reached the settlement address.');

  rehearsal.step(`\`verify\`: all ${await service.verified()} invariants hold.`);
  return { api, worker };
}
