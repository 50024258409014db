import { join } from 'node:path';
import type { SandboxFile } from '../folder/sandbox-folder.js';
import type { SandboxSettings } from '../sandbox-settings.js';
import type { ServiceClock } from '../service/service-clock.js';

/** A running part, with its name and address for the terminal. */
export interface SandboxPart {
  readonly name: string;
  readonly at: string;
}

/** @param logs folder of the processes' logs */
export function partsOf(
  settings: SandboxSettings,
  logs: string,
  file: SandboxFile,
  { time, isMoved }: ServiceClock,
): SandboxPart[] {
  const database =
    settings.databaseUrl === undefined ? `127.0.0.1:${settings.postgresPort}` : 'yours (DATABASE_URL)';
  const chains = file.networks.map(({ network, chain_id, rpc_url }) =>
    settings.networksFile === undefined ? `${rpc_url} (chain id ${chain_id})` : network,
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
