import { readFileSync } from 'node:fs';

const { name, version } = JSON.parse(
  readFileSync(new URL('../../../../../package.json', import.meta.url), 'utf8'),
) as { name: string; version: string };

export const SERVICE_VERSION = version;
/** The `User-Agent` of every request that the service sends: providers refuse requests that have none. */
export const SERVICE_AGENT = `${name}/${version}`;
