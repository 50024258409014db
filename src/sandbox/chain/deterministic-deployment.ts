import {
  concatHex,
  getContractAddress,
  type Account,
  type Address,
  type Client,
  type Hex,
  type Transport,
} from 'viem';
import { getCode, sendTransaction, waitForTransactionReceipt } from 'viem/actions';
import { DETERMINISTIC_DEPLOYER } from '../../contexts/networks/infrastructure/evm/forwarders/forwarder-artifacts.js';

export type Deployer = Client<Transport, undefined, Account>;

const SALT: Hex = `0x${'00'.repeat(32)}`;

/** Where `deployOnce` puts it, on every chain. EIP-55. */
export function deterministicAddress(creationCode: Hex): Address {
  const from = DETERMINISTIC_DEPLOYER;
  return getContractAddress({ opcode: 'CREATE2', from, salt: SALT, bytecode: creationCode });
}

/** Once; again, it is found there. */
export async function deployOnce(client: Deployer, creationCode: Hex): Promise<void> {
  const address = deterministicAddress(creationCode);
  if (((await getCode(client, { address })) ?? '0x') !== '0x') return;
  const data = concatHex([SALT, creationCode]);
  const hash = await sendTransaction(client, { chain: null, to: DETERMINISTIC_DEPLOYER, data });
  await waitForTransactionReceipt(client, { hash });
}
