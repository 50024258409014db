import type { NetworkConfiguration } from '../../domain/network-configuration.js';
import { InvalidNetworksConfiguration } from './configuration-reader.js';
import { endOfJson } from './end-of-json.js';
import { parseNetworksConfiguration } from './parse-networks-configuration.js';

/** @param text of `NETWORKS_FILE` @throws InvalidNetworksConfiguration, which quotes nothing of the text */
export function parseNetworksFile(text: string): NetworkConfiguration[] {
  return parseNetworksConfiguration(parseJson(text));
}

/** The platform's own sentence quotes what stands beside the mistake, which may be an endpoint's access key. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const lines = text.slice(0, endOfJson(text)).split('\n');
    const place = `line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
    throw new InvalidNetworksConfiguration(place, 'is where the file stops being valid JSON');
  }
}
