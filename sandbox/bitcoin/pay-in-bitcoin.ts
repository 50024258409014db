import { merchantClient } from '../merchant/merchant-client.js';
import { CannotStart, waitUntil } from '../processes/child-process.js';
import { formatAssetAmount, totalOf } from '../payer/describe-plan.js';
import type { BitcoinOptions } from '../payer/pay-arguments.js';
import type { Speaking } from '../payer/payer-session.js';
import type { PaymentPlan } from '../payer/payment-plan.js';
import type { SandboxFile } from '../folder/sandbox-folder.js';
import { LEAST_FEE_RATE } from './bitcoin-miner.js';
import { BitcoinRpc } from './bitcoin-rpc.js';
import { BitcoinPayerWallet, type SentPayment, type SentTransaction } from './payer-wallet.js';
import { scriptOf, WitnessKey } from './witness-key.js';

/** Fee rate at which a transaction stays unmined for an hour, so that it can be replaced. */
const SLOW = 1;
const SEEN_WITHIN_MS = 30_000;
const MINED_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 500;

/**
 * Pays each part in a separate transaction, or all parts as outputs of one.
 * @throws CannotStart
 */
export async function payInBitcoin(
  plan: PaymentPlan,
  { feeRate, replace, together }: BitcoinOptions,
  sandbox: SandboxFile,
  { output, say }: Speaking,
): Promise<void> {
  const wallet = new BitcoinPayerWallet(
    new BitcoinRpc(plan.network.rpc_url),
    new WitnessKey(sandbox.payer!.private_key),
  );
  const script = scriptOf(plan.address);
  if (script === undefined) throw new CannotStart(`${plan.address} is not a Bitcoin address of regtest.`);
  await refuseIfShort(plan, wallet);
  const outputs = plan.transfers.map((amount) => ({ script, amount }));
  const transactions = together === true ? [outputs] : outputs.map((one) => [one]);
  const rate = feeRate ?? (replace === undefined ? undefined : SLOW);
  const sending: SentPayment = rate === undefined ? {} : { feeRate: rate };
  const sent: SentTransaction[] = [];
  for (const each of transactions) {
    const one = await wallet.send(each, sending);
    say(`  sent      ${one.txid}, for a fee of ${formatAssetAmount(one.fee, plan.asset)}`);
    sent.push(one);
  }
  if (replace !== undefined) {
    await output.withProgress('Waiting until the service has seen it', () => untilSeen(plan, sandbox));
    for (const [i, first] of sent.entries()) {
      const amount = transactions[i]!.reduce((sum, one) => sum + one.amount, 0n);
      const instead = replace === 'same' ? transactions[i]! : [{ script: wallet.key.script, amount }];
      const inPlaceOf = { inPlaceOf: first };
      const second = await wallet.send(instead, inPlaceOf).catch((error: Error) => {
        throw new CannotStart(`The first transaction was not replaced. ${error.message}`);
      });
      say(
        `  replaced  by ${second.txid}, which pays ${replace === 'same' ? 'the same' : 'the wallet itself'}`,
      );
      sent[i] = second;
    }
  }
  if (replace === undefined && (rate ?? LEAST_FEE_RATE) < LEAST_FEE_RATE) return say(SLOW_NOTE);
  await output.withProgress('Waiting for a block', () => untilMined(sent, wallet));
  for (const { txid } of sent) say(`  mined     ${txid}`);
}

const SLOW_NOTE = `  waits     blocks take what pays less than ${LEAST_FEE_RATE} satoshi a byte an hour later; npm run operator -- clock advance 61m`;

async function refuseIfShort(plan: PaymentPlan, wallet: BitcoinPayerWallet): Promise<void> {
  const balance = await wallet.balance();
  if (balance > totalOf(plan)) return;
  throw new CannotStart(`The sandbox wallet holds only ${formatAssetAmount(balance, plan.asset)}.`);
}

async function untilSeen({ requestId, posId }: PaymentPlan, sandbox: SandboxFile): Promise<void> {
  const shop = merchantClient(sandbox).pointOfSale(posId);
  const isSeen = async () => (await shop.readPayment(requestId)).status !== 'created';
  await waitUntil(isSeen, { timeoutMs: SEEN_WITHIN_MS, everyMs: LOOK_EVERY_MS });
}

async function untilMined(sent: readonly SentTransaction[], { rpc }: BitcoinPayerWallet): Promise<void> {
  const isMined = async () => {
    const found = await rpc.calls<{ blockhash?: string }>(
      sent.map(({ txid }) => ['getrawtransaction', txid, 1]),
    );
    return found.every(({ blockhash }) => blockhash !== undefined);
  };
  if (await waitUntil(isMined, { timeoutMs: MINED_WITHIN_MS, everyMs: LOOK_EVERY_MS })) return;
  throw new CannotStart('It is not in a block yet.');
}
