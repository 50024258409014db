import { OperatorCommandRunner } from '#app/operator/operator-command-runner.js';
import { readEnvironment, readOperatorEnvironment } from '#app/settings/environment.js';
import { sandboxTime } from './chain/chain-rpc.js';
import { readSandboxSettings } from './sandbox-settings.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { CannotStart } from './processes/child-process.js';
import { isBitcoin } from './bitcoin/bitcoin-network.js';
import { payInBitcoin } from './bitcoin/pay-in-bitcoin.js';
import { payInTron } from './tron/pay-in-tron.js';
import { isTron } from './tron/tron-network.js';
import { readPayArguments, type PayArguments } from './payer/pay-arguments.js';
import { payBy } from './payer/pay-by.js';
import { PayerWallet, tokenOf } from './payer/payer-wallet.js';
import { planPayment, type PaymentPlan } from './payer/payment-plan.js';
import { totalOf, describePlan } from './payer/describe-plan.js';
import { sendPlan } from './payer/send-plan.js';
import { findRunningSandbox } from './folder/sandbox-lock.js';
import { SandboxFolder, type SandboxFile } from './folder/sandbox-folder.js';
import { runProgram } from './terminal/run-program.js';
import { terminalOutput } from './terminal/terminal-output.js';

const say = (line: string) => process.stdout.write(`${line}\n`);
const output = terminalOutput();

async function pay(): Promise<void> {
  const args = readPayArguments(process.argv.slice(2));
  const folder = new SandboxFolder(readSandboxSettings(readEnvironment()).directory);
  const sandbox = await findRunningSandbox(folder, output);
  if (sandbox === undefined) throw new CannotStart('No sandbox is running. Start one with npm start.');
  if (sandbox.payer === null) {
    throw new CannotStart(
      'The networks are yours (NETWORKS_FILE): the sandbox has no wallet there. Pay with your own.',
    );
  }
  const plan = await planPayment(sandbox, args, await sandboxTime(sandbox.networks[0]!.rpc_url));
  if (args.by !== undefined) {
    await payBy(args.by, plan, sandbox, { output, say });
    return sayWhereToLook(plan, sandbox);
  }
  const inBitcoin = isBitcoin(plan.network);
  const inTron = isTron(plan.network);
  refuseOfOthers(args, inBitcoin);
  if (inTron && args.fromContract === true)
    throw new CannotStart('The sandbox has no payer’s contract on TRON: omit --from-contract.');
  // The EVM chain follows the sandbox's clock to the second.
  const wallet = new PayerWallet(sandbox.networks[0]!.rpc_url, sandbox.payer);
  const sendAt = await sendingTime(wallet, args);
  for (const line of describePlan(plan, { fromContract: args.fromContract === true, sendAt })) say(line);
  if (!inBitcoin && !inTron) await refuseIfShort(plan, wallet);
  if (args.afterSeconds !== undefined) await advanceClock(args.afterSeconds);
  if (inBitcoin) await payInBitcoin(plan, args.bitcoin ?? {}, sandbox, { output, say });
  else if (inTron) await payInTron(plan, sandbox, { output, say });
  else await sendPlan(plan, wallet, { fromContract: args.fromContract === true, output, say });
  sayWhereToLook(plan, sandbox);
}

function refuseOfOthers({ bitcoin, fromContract }: PayArguments, inBitcoin: boolean): void {
  if (inBitcoin && fromContract === true)
    throw new CannotStart('Bitcoin has no contracts: omit --from-contract.');
  if (!inBitcoin && bitcoin !== undefined)
    throw new CannotStart('This is not paid in bitcoin: omit --fee, --replace and --outputs.');
}

/** The time to pay, by the chain's clock. */
async function sendingTime(wallet: PayerWallet, { afterSeconds }: PayArguments): Promise<Date | undefined> {
  if (afterSeconds === undefined) return undefined;
  return new Date((await wallet.chainTime()).getTime() + afterSeconds * 1_000);
}

/**
 * Moves the clock, so that a late payment needs no waiting.
 * @throws DomainError if the clock would exceed its limit
 */
async function advanceClock(seconds: number): Promise<void> {
  const operator = new OperatorCommandRunner({ environment: readOperatorEnvironment(), actor: 'pay' });
  try {
    await operator.run('clock', 'advance', `${seconds}s`, '--yes');
    say(`  clock     moved ahead by ${seconds} s, and it stays ahead`);
  } finally {
    await operator.close();
  }
}

async function refuseIfShort(plan: PaymentPlan, wallet: PayerWallet): Promise<void> {
  const { asset } = plan;
  const balance = await wallet.balance(tokenOf(asset.unique_asset_id));
  if (balance >= totalOf(plan)) return;
  const held = formatAmount(balance, asset.decimals);
  throw new CannotStart(
    `The sandbox wallet holds only ${held} ${asset.symbol}. npm start fills it up again.`,
  );
}

function sayWhereToLook({ requestId, posId }: PaymentPlan, sandbox: SandboxFile): void {
  say('Look at its status, and a moment later at the transactions:');
  say(`  GET ${sandbox.api_url}/v1/pos/${posId}/payment-request/${requestId}`);
  say(`  GET ${sandbox.api_url}/v1/transactions?page=1&page_size=5`);
}

await runProgram(pay);
