import { TOKEN_ABI } from '../chain/test-tokens.js';
import type { SandboxFile } from '../folder/sandbox-folder.js';
import { formatAssetAmount, totalOf } from '../payer/describe-plan.js';
import type { Speaking } from '../payer/payer-session.js';
import type { PaymentPlan } from '../payer/payment-plan.js';
import { CannotStart } from '../processes/child-process.js';
import { evmAddress, readTronAddress } from './tron-address.js';
import { TronWallet } from './tron-wallet.js';

/**
 * Pays each part in a separate transaction.
 * @throws CannotStart
 */
export async function payInTron(
  { network, asset, address, transfers }: PaymentPlan,
  sandbox: SandboxFile,
  { output, say }: Speaking,
): Promise<void> {
  const wallet = new TronWallet(network.rpc_url, sandbox.payer!.private_key.slice(2));
  const token = readTronAddress(sandbox.tron!.token)!;
  const to = readTronAddress(address);
  if (to === undefined) throw new CannotStart(`${address} is not a TRON address.`);
  const balance = (await wallet.read(token, TOKEN_ABI, 'balanceOf', [evmAddress(wallet.address)])) as bigint;
  if (balance < totalOf({ transfers }))
    throw new CannotStart(`The sandbox wallet holds only ${formatAssetAmount(balance, asset)} on TRON.`);
  for (const amount of transfers) {
    const id = await wallet.call(token, TOKEN_ABI, 'transfer', [evmAddress(to), amount]);
    await output.withProgress('Waiting for a block', () => wallet.mined(id));
    say(`  mined     ${id}`);
  }
}
