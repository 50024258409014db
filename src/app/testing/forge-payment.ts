import { DOLLAR, NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { newId, type PaymentRequestId } from '#shared/kernel/ids.js';
import type { openAuditedWorld } from './audited-world.js';

/** Inserts a forged payment of the request `open` with all rows that the service would have stored for a real one. */
export async function forgePayment(world: Awaited<ReturnType<typeof openAuditedWorld>>) {
  const [row] = await world.database.query<{ id: PaymentRequestId; address: string }>(
    `SELECT r.id, a.address FROM payments.payment_requests r
     JOIN payments.deposit_addresses a ON a.payment_request_id = r.id WHERE r.reference_id = 'open'`,
  );
  const cursor = (await world.watched.cursor(NETWORK))!;
  const block = (await world.watched.block(NETWORK, cursor.finalNumber!))!;
  const now = await world.platform.clock.now();
  const transactionHash = `0x${'fa'.repeat(32)}`;
  const transfer = {
    id: newId(),
    ...{ network: NETWORK, kind: 'log', index: 7, transactionHash, blockNumber: block.number },
    ...{ blockHash: block.hash, blockTime: block.time, uniqueAssetId: DOLLAR.uniqueAssetId },
    ...{ currency: DOLLAR.symbol, decimals: DOLLAR.decimals, requiredConfirmations: 3 },
    from: `0x${'f'.repeat(40)}`,
    to: row!.address,
    amount: 10_000_000n,
    awaitsCrossCheck: false,
  };
  await world.database.run(async () => {
    const [request] = await world.requests.lock([row!.id]);
    request!.recordTransfers([transfer] as never, now);
    request!.evaluate(await world.watched.progress([NETWORK]), now);
    await world.requests.save([request!]);
  });
  await world.settle();
  return row!;
}
