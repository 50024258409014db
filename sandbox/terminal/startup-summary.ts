import { join, relative } from 'node:path';
import { seconds } from './terminal-output.js';
import { chainName, isBitcoin } from '../bitcoin/bitcoin-network.js';
import type { SandboxFile, SandboxFolder } from '../folder/sandbox-folder.js';
import type { SandboxSettings } from '../sandbox-settings.js';
import type { ServiceClock } from '../service/service-clock.js';

export interface SandboxPart {
  readonly name: string;
  readonly at: string;
}

export interface StartedSandbox {
  readonly file: SandboxFile;
  readonly folder: SandboxFolder;
  readonly parts: readonly SandboxPart[];
  /** Name and page of each payment that a browser can make now. */
  readonly payable: readonly SandboxPart[];
}

/** Characters. */
const NAME_WIDTH = 14;

const IN_BITCOIN =
  '  npm run pay -- <page> --by bitcoin      the same in bitcoin; also --fee 1, --replace elsewhere, --outputs 3';

const tryNext = (withBitcoin: boolean) => [
  'Try next, in another terminal',
  '  npm run demo                            a payment, its settlement and a refund, each step checked',
  // Bitcoin limits how far the clock can be moved.
  ...(withBitcoin
    ? []
    : [
        '  npm run demo -- subscription            charged, paid, missed, recovered, revoked: moves the clock',
      ]),
  '  npm run pay -- <token, id or page>      the sandbox wallet; also --by signature, --by x402, --by button',
  ...(withBitcoin ? [IN_BITCOIN] : []),
  '  npm run listen                          every webhook, shown and verified',
  '  npm run operator -- verify              whether the books balance; npm run operator -- help for more',
];

const OWN_NETWORKS = [
  'The networks are yours (NETWORKS_FILE): there are no test tokens and no wallet here, so npm run demo and',
  'npm run pay have nothing to pay with. Before creating requests, say where collected money goes:',
  '  npm run operator -- settlement-terms set --help',
];

/** At most one screen. */
export function startupSummary({ file, folder, parts, payable }: StartedSandbox, tookMs: number): string {
  const row = (name: string, value: string) => `  ${name.padEnd(NAME_WIDTH)}${value}`;
  const assets = file.networks.flatMap((network) => network.assets);
  const here = relative(process.cwd(), folder.path) || '.';
  const place = here.startsWith('..') ? folder.path : here;
  return [
    `The sandbox is running (started in ${seconds(tookMs)}).`,
    '',
    ...parts.map(({ name, at }) => row(name, at.replace(folder.path, place))),
    ...payable.map(({ name, at }) => row(name, at)),
    '',
    'For requests by hand',
    row('API key', file.api_key),
    row('API secret', file.api_secret),
    row('POS', `${file.pos_id} (account ${file.account_id})`),
    row('Asset', `${assets[0]!.unique_asset_id} (${assets[0]!.symbol})`),
    '',
    ...(file.payer === null ? OWN_NETWORKS : tryNext(file.networks.some(isBitcoin))),
    `All of it for programs: ${join(place, 'sandbox.json')}. Ctrl-C stops; npm start resumes; npm run reset clears.`,
    '',
  ].join('\n');
}

export function partsOf(
  settings: SandboxSettings,
  logs: string,
  file: SandboxFile,
  { time, isMoved }: ServiceClock,
): SandboxPart[] {
  const database =
    settings.databaseUrl === undefined ? `127.0.0.1:${settings.postgresPort}` : 'yours (DATABASE_URL)';
  const chains = file.networks.map((network) =>
    settings.networksFile === undefined ? `${network.rpc_url} (${chainName(network)})` : network.network,
  );
  return [
    { name: 'API', at: `${file.api_url} (reference: ${file.docs_url})` },
    { name: 'Dashboard', at: signInOf(file) },
    { name: 'Worker', at: `log in ${join(logs, 'worker.log')}` },
    { name: 'PostgreSQL', at: database },
    { name: chains.length > 1 ? 'Chains' : 'Chain', at: chains.join(', ') },
    ...(isMoved
      ? [{ name: 'Clock', at: `moved ahead, ${time.toISOString()} (npm run operator -- clock show)` }]
      : []),
  ];
}

function signInOf({ dashboard_url: url, dashboard_owner: owner }: SandboxFile): string {
  return owner === null
    ? url
    : `${url} as ${owner.email} with ${owner.password} and npm run operator -- totp`;
}
