import type { Hex } from 'viem';
import type { Screen } from '../terminal/screen.js';
import { tokenOf, type PayerWallet } from './payer-wallet.js';
import type { PaymentPlan } from './payment-plan.js';
import { amountOf, totalOf } from './payment-words.js';

interface Sending {
  readonly fromContract: boolean;
  readonly screen: Screen;
  say(line: string): void;
}

/** Each transfer in a transaction of its own, one after the other; by the contract all in one. */
export async function sendPlan(
  plan: PaymentPlan,
  wallet: PayerWallet,
  { fromContract, screen, say }: Sending,
): Promise<void> {
  const { asset, address: to, transfers } = plan;
  const token = tokenOf(asset.unique_asset_id);
  const paid = async (amount: bigint, hash: Hex) => {
    const block = await screen.during('Waiting for a block', () => wallet.mined(hash));
    say(`  paid      ${amountOf(amount, asset)} in block ${block}: ${hash}`);
  };
  if (fromContract) {
    const payments = transfers.map((amount) => ({ token, to, amount }));
    const prepared = () => wallet.sendFromContract(payments);
    return paid(totalOf(plan), await screen.during('Preparing the contract', prepared));
  }
  for (const amount of transfers) await paid(amount, await wallet.send(token, to, amount));
}
