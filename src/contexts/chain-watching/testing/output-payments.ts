import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import type { Network } from '#contexts/networks/contract/network-catalogue.js';
import { OutputChain, type OutputTransaction } from '#contexts/networks/testing/output-chain.js';
import { SameChain } from '#contexts/networks/testing/same-chain.js';
import {
  OUTPUT_COIN,
  OUTPUT_CONFIGURATION,
  OUTPUT_NETWORK,
  OutputChainType,
} from '#contexts/networks/testing/output-chain-type.js';
import { breachesOf } from '#test/support/broken-invariants.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { cursorInvariants } from '../infrastructure/persistence/watching-invariants.js';
import type { PaymentRequestView } from '#contexts/payments/application/requests/payment-request-view.js';
import type { FollowChain } from '../application/follow-chain.js';
import { SmallCatalogue, someTerms } from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments } from '#contexts/payments/testing/requests/open-payments.js';

const MINUTE_MS = 60_000;
export const GRACE_MS = 24 * 60 * MINUTE_MS;
const INITIAL_BLOCK_COUNT = 12;

export type OutputPayments = Awaited<ReturnType<typeof openOutputPayments>>;

/** Opens payments on an output-based chain with pending transfers and a clock that only the test moves. */
export async function openOutputPayments(confirmations = 1) {
  const network: Network = { ...OUTPUT_CONFIGURATION, finality: { kind: 'confirmations', confirmations } };
  const payments = await openPayments(
    null,
    new SmallCatalogue([network], [OUTPUT_COIN]),
    undefined,
    'stands',
  );
  const { platform, database } = payments;
  let now = (await platform.clock.now()).getTime();
  const chain = new OutputChain(OUTPUT_COIN.token, now - INITIAL_BLOCK_COUNT * 10 * MINUTE_MS);
  for (let i = 1; i < INITIAL_BLOCK_COUNT; i += 1) {
    chain.now += 10 * MINUTE_MS;
    chain.mine();
  }
  chain.now = now;
  const point = await payments.pointsOfSale.open({
    paymentOptions: [OUTPUT_COIN.uniqueAssetId],
    terms: new Map([[OUTPUT_NETWORK, someTerms(OUTPUT_NETWORK)]]),
  });
  const epoch = payments.epochOf(OUTPUT_NETWORK);
  const newProcess = () => {
    const family = new OutputChainType(chain, confirmations);
    return { family, watcher: payments.watcher(new SameChain(family)) };
  };
  let process = newProcess();
  const follow = async (watcher: FollowChain = process.watcher) => {
    while (await watcher.follow(OUTPUT_NETWORK, epoch));
  };
  await follow();

  return {
    ...payments,
    chain,
    point,
    pending: () => process.family.pending,
    follow,
    takeOver: () => (process = newProcess()),
    async wait(minutes: number): Promise<void> {
      await platform.advance(minutes * 60);
      chain.now = now += minutes * MINUTE_MS;
    },
    ask: (amount: bigint): Promise<PaymentRequestView> =>
      payments.request(
        { uniqueAssetId: OUTPUT_COIN.uniqueAssetId, amount: formatAmount(amount, OUTPUT_COIN.decimals) },
        point,
      ),
    send: (
      request: Pick<PaymentRequestView, 'address'>,
      amount: bigint,
      spends?: readonly string[],
      isCheap?: boolean,
    ): OutputTransaction => chain.send([{ to: canonicalAddress(request.address), amount }], spends, isCheap),
    async stateOf(request: PaymentRequestView): Promise<readonly [string, bigint]> {
      const { status, receivedAmount } = await payments.read(request);
      return [status, receivedAmount];
    },
    broken: async () => ({
      ...(await payments.breaches()),
      ...(await breachesOf(database, cursorInvariants)),
    }),
  };
}
