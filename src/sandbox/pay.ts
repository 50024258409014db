import { readEnvironment } from '../app/environment.js';
import { sentenceOf } from '../app/run-process.js';
import { readSandboxSettings } from '../app/sandbox-settings.js';
import { formatAmount } from '../shared/kernel/amount.js';
import { CannotStart } from './processes/child-process.js';
import { readPayArguments } from './payer/pay-arguments.js';
import { PayerWallet, tokenOf } from './payer/payer-wallet.js';
import { planPayment, type PaymentPlan } from './payer/payment-plan.js';
import { findRunningSandbox } from './folder/running-sandbox.js';
import { SandboxFolder, type SandboxFile, type SandboxPayer } from './folder/sandbox-folder.js';
import { terminal } from './terminal/screen.js';

const say = (line: string) => process.stdout.write(`${line}\n`);
const screen = terminal();

async function pay(): Promise<void> {
  const args = readPayArguments(process.argv.slice(2));
  const folder = new SandboxFolder(readSandboxSettings(readEnvironment()).directory);
  const sandbox = await findRunningSandbox(folder, screen);
  if (sandbox === undefined) throw new CannotStart('No sandbox is running. Start one with npm start.');
  if (sandbox.payer === null) {
    throw new CannotStart(
      'The networks are yours (NETWORKS_FILE): the sandbox has no wallet there. Pay with your own.',
    );
  }
  const plan = await planPayment(sandbox, args, new Date());
  show(plan);
  await send(plan, sandbox.payer);
  sayWhereToLook(plan, sandbox);
}

function show({ asset, network, address, merchant, asked, transfers, expiresAt }: PaymentPlan): void {
  const total = transfers.reduce((sum, part) => sum + part, 0n);
  const amount = (value: bigint) => `${formatAmount(value, asset.decimals)} ${asset.symbol}`;
  const compared =
    total === asked
      ? 'exactly what is asked'
      : `${total < asked ? 'less' : 'more'} than the ${amount(asked)} asked`;
  say(
    `Paying ${amount(total)}, ${compared}${transfers.length > 1 ? `, in ${transfers.length} transfers` : ''}`,
  );
  say(`  to        ${merchant}`);
  say(`  address   ${address}`);
  say(`  network   ${network.network} (chain id ${network.chain_id})`);
  say(`  expires   ${expiresAt.toISOString()}`);
}

async function send({ asset, network, address, transfers }: PaymentPlan, payer: SandboxPayer): Promise<void> {
  const wallet = new PayerWallet(network.rpc_url, payer);
  const token = tokenOf(asset.unique_asset_id);
  const total = transfers.reduce((sum, part) => sum + part, 0n);
  const balance = await wallet.balance(token);
  if (balance < total) {
    const held = formatAmount(balance, asset.decimals);
    throw new CannotStart(
      `The sandbox wallet holds only ${held} ${asset.symbol}. npm start fills it up again.`,
    );
  }
  for (const amount of transfers) {
    const hash = await wallet.send(token, address, amount);
    const block = await screen.during('Waiting for a block', () => wallet.mined(hash));
    say(`  paid      ${formatAmount(amount, asset.decimals)} ${asset.symbol} in block ${block}: ${hash}`);
  }
}

function sayWhereToLook({ requestId }: PaymentPlan, sandbox: SandboxFile): void {
  say('Look at its status, and a moment later at the transactions:');
  say(`  GET ${sandbox.api_url}/v1/pos/${sandbox.pos_id}/payment-request/${requestId}`);
  say(`  GET ${sandbox.api_url}/v1/transactions?page=1&page_size=5`);
}

try {
  await pay();
  process.exit(0);
} catch (error) {
  process.stderr.write(`${sentenceOf(error)}\n`);
  process.exit(1);
}
