import type { Address, Hex } from 'viem';
import type { TerminalOutput } from '../terminal/terminal-output.js';
import { tokenOf, type PayerWallet } from './payer-wallet.js';
import type { PaymentPlan } from './payment-plan.js';
import { formatAssetAmount, totalOf } from './describe-plan.js';

interface Sending {
  readonly fromContract: boolean;
  readonly output: TerminalOutput;
  say(line: string): void;
}

/** Sends one transaction per transfer, in order, or a single transaction through the contract. */
export async function sendPlan(
  plan: PaymentPlan,
  wallet: PayerWallet,
  { fromContract, output, say }: Sending,
): Promise<void> {
  const { asset, transfers } = plan;
  const to = plan.address as Address;
  const token = tokenOf(asset.unique_asset_id);
  const paid = async (amount: bigint, hash: Hex) => {
    const block = await output.withProgress('Waiting for a block', () => wallet.mined(hash));
    say(`  paid      ${formatAssetAmount(amount, asset)} in block ${block}: ${hash}`);
  };
  if (fromContract) {
    const payments = transfers.map((amount) => ({ token, to, amount }));
    const prepared = () => wallet.sendFromContract(payments);
    return paid(totalOf(plan), await output.withProgress('Preparing the contract', prepared));
  }
  for (const amount of transfers) await paid(amount, await wallet.send(token, to, amount));
}
