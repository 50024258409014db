import { encodeDeployData, parseAbi, type Address, type Hex } from 'viem';
import { readContract, waitForTransactionReceipt, writeContract } from 'viem/actions';
import {
  contractArtifact,
  deployOnce,
  deterministicAddress,
  type Deployer,
  type TokenContract,
} from './deterministic-deployment.js';

export interface TestToken {
  symbol: string;
  name: string;
  decimals: number;
}

export const TOKEN_ABI = parseAbi([
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function mint(address to, uint256 amount)',
]);

/** The payer's balance in whole tokens: below LOW, it is raised to PLENTY. */
const LOW = 100_000n;
const PLENTY = 1_000_000n;

/** The same address on every chain, EIP-55. */
export function testTokenAddress(token: TestToken): Address {
  return deterministicAddress(tokenCreationCode(token));
}

export function deployTestToken(client: Deployer, token: TestToken): Promise<void> {
  return deployOnce(client, tokenCreationCode(token));
}

export async function topUp(client: Deployer, token: TestToken, owner: Address): Promise<void> {
  const contract = { address: testTokenAddress(token), abi: TOKEN_ABI };
  const unit = 10n ** BigInt(token.decimals);
  const balance = await readContract(client, { ...contract, functionName: 'balanceOf', args: [owner] });
  if (balance >= LOW * unit) return;
  const args = [owner, PLENTY * unit - balance] as const;
  const hash = await writeContract(client, { ...contract, chain: null, functionName: 'mint', args });
  await waitForTransactionReceipt(client, { hash });
}

/** The token's creation code with its constructor arguments. */
export function tokenCreationCode(
  { name, symbol, decimals }: TestToken,
  contract: TokenContract = 'TestToken',
): Hex {
  const { abi, bytecode } = contractArtifact(contract);
  return encodeDeployData({ abi, bytecode, args: [name, symbol, decimals] });
}
