#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { PaymentCollectionError } from '../payment-collection-error.js';
import { CommandFailed } from './command-failed.js';
import { connect } from './connection.js';
import { listen } from './listen.js';
import { pay } from './pay.js';
import { printMessageToStderr } from './terminal.js';
import { trigger, TRIGGERS, type Trigger } from './trigger.js';

const triggers = Object.entries(TRIGGERS)
  .map(([name, what]) => `                   ${name.padEnd(13)} ${what}`)
  .join('\n');

const USAGE = `Tests an integration with a Payment Collection Service:

  payment-collection listen           prints each verified webhook as a line of JSON
    --port N         port on 127.0.0.1; default: 4100; 0 for any free port
    --url URL        URL to which the service sends webhooks; default: the port; outside a sandbox, a public https URL
    --secret S       secret of an existing webhook; registers no webhooks; repeatable
  payment-collection trigger <event>  triggers an event; all events except test require a sandbox:
${triggers}
  payment-collection pay <what>       pays from the sandbox's wallet: a payment request (id), a payment token (in
                                      quotes), or the page of a checkout or payment link
    --amount A       amount to pay; default: the requested amount

  --sandbox FILE   sandbox.json of a running sandbox; default: the credential in PAYMENT_COLLECTION_URL,
                   PAYMENT_COLLECTION_API_KEY and PAYMENT_COLLECTION_API_SECRET, else .sandbox/sandbox.json
  --account ID     account of the webhooks; default: the sandbox's account, else the first account`;

const OPTIONS = {
  port: { type: 'string', default: '4100' },
  url: { type: 'string' },
  secret: { type: 'string', multiple: true },
  amount: { type: 'string' },
  sandbox: { type: 'string' },
  account: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

async function run(args: string[]): Promise<void> {
  const { positionals, values } = read(args);
  const [command, what, ...more] = positionals;
  if (values.help || command === undefined) return void process.stdout.write(`${USAGE}\n`);
  if (more.length > 0)
    throw new CommandFailed(
      'Too many arguments. Put a payment token in quotes, because the shell splits it at semicolons.',
    );
  const connection = () => connect(values.sandbox);
  if (command === 'listen' && what === undefined) {
    const { url, account, secret: secrets = [] } = values;
    return listen(connection, { port: portOf(values.port), url, account, secrets });
  }
  if (command === 'trigger' && what !== undefined && Object.hasOwn(TRIGGERS, what)) {
    return trigger(connection(), what as Trigger, values.account);
  }
  if (command === 'pay' && what !== undefined) return pay(connection(), { what, amount: values.amount });
  throw new CommandFailed(`Unknown command: ${positionals.slice(0, 2).join(' ')}\n\n${USAGE}`);
}

function read(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: OPTIONS });
  } catch (error) {
    throw new CommandFailed(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new CommandFailed(`--port must be a whole number from 0 to 65535, not ${text}.`);
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (error instanceof PaymentCollectionError)
    printMessageToStderr(`${error.message} (${error.code}) ${error.nextStep}`);
  else if (error instanceof CommandFailed) printMessageToStderr(error.message);
  else throw error;
  process.exitCode = 1;
}
