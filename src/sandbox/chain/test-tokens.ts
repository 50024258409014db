import {
  concatHex,
  encodeDeployData,
  getContractAddress,
  parseAbi,
  type Account,
  type Address,
  type Client,
  type Hex,
  type Transport,
} from 'viem';
import {
  getCode,
  readContract,
  sendTransaction,
  waitForTransactionReceipt,
  writeContract,
} from 'viem/actions';
import {
  contractArtifact,
  DETERMINISTIC_DEPLOYER,
} from '../../contexts/networks/infrastructure/chain/forwarder-artifacts.js';

export interface TestToken {
  symbol: string;
  name: string;
  decimals: number;
}

type Deployer = Client<Transport, undefined, Account>;

export const TOKEN_ABI = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function mint(address to, uint256 amount)',
]);

const SALT: Hex = `0x${'00'.repeat(32)}`;
/** In whole tokens: below the first, the balance is brought up to the second. */
const LOW = 100_000n;
const PLENTY = 1_000_000n;

/** Where `deployTestToken` puts it, on every chain. EIP-55. */
export function testTokenAddress(token: TestToken): Address {
  return getContractAddress({
    opcode: 'CREATE2',
    from: DETERMINISTIC_DEPLOYER,
    salt: SALT,
    bytecode: creationCode(token),
  });
}

/** Once; again, it is found there. */
export async function deployTestToken(client: Deployer, token: TestToken): Promise<void> {
  const address = testTokenAddress(token);
  if (((await getCode(client, { address })) ?? '0x') !== '0x') return;
  const data = concatHex([SALT, creationCode(token)]);
  const hash = await sendTransaction(client, { chain: null, to: DETERMINISTIC_DEPLOYER, data });
  await waitForTransactionReceipt(client, { hash });
}

/** Mints when the owner holds little. */
export async function topUp(client: Deployer, token: TestToken, owner: Address): Promise<void> {
  const contract = { address: testTokenAddress(token), abi: TOKEN_ABI };
  const unit = 10n ** BigInt(token.decimals);
  const balance = await readContract(client, { ...contract, functionName: 'balanceOf', args: [owner] });
  if (balance >= LOW * unit) return;
  const args = [owner, PLENTY * unit - balance] as const;
  const hash = await writeContract(client, { ...contract, chain: null, functionName: 'mint', args });
  await waitForTransactionReceipt(client, { hash });
}

function creationCode({ name, symbol, decimals }: TestToken): Hex {
  const { abi, bytecode } = contractArtifact('TestToken');
  return encodeDeployData({ abi, bytecode, args: [name, symbol, decimals] });
}
