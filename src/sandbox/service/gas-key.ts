import { existsSync, readFileSync } from 'node:fs';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import type { Hex } from 'viem';
import { writeWhole } from '../folder/sandbox-folder.js';

/** The key that pays for settlements on the sandbox's chain, made once. @returns its address */
export function ensureGasKey(file: string): Hex {
  if (!existsSync(file)) writeWhole(file, `${generatePrivateKey()}\n`);
  return privateKeyToAddress(readFileSync(file, 'utf8').trim() as Hex);
}
