import { createView } from '@noble/hashes/utils';
import { type DomainError, invalidField } from '#shared/kernel/domain-error.js';
import { type AddressFormat, decodeBase58 } from './address-format.js';
import { descriptorChecksum, indexOfInvalidCharacter } from './descriptor-checksum.js';
import { ExtendedPublicKey, FIRST_HARDENED_INDEX } from './extended-public-key.js';
import { ONE_SIGNER_RULE, refuseNonDescriptorKeys, refusePrivateKeys } from './refused-keys.js';

/** The receiving addresses of a merchant's wallet, read from an output descriptor (BIP-380 to BIP-386). */
export interface ReceiveDescriptor {
  readonly format: AddressFormat;
  readonly script: 'wpkh' | 'tr' | 'sh(wpkh)';
  readonly origin: string | null;
  readonly path: string;
  readonly account: ExtendedPublicKey;
  /** Payment request number n is paid to child n of this key. */
  readonly branch: ExtendedPublicKey;
}

const MAX_DESCRIPTOR_LENGTH = 400;

const SCRIPT_EXPRESSIONS = [
  ['wpkh', /^wpkh\(([^()]*)\)$/],
  ['tr', /^tr\(([^()]*)\)$/],
  ['sh(wpkh)', /^sh\(wpkh\(([^()]*)\)\)$/],
] as const;
const KEY_EXPRESSION = /^(?:\[([^[\]]*)\])?([^[\]/]+)((?:\/[^/]+)*)$/;
const KEY_ORIGIN = /^([0-9a-fA-F]{8})((?:\/[0-9]{1,10}[hH']?)*)$/;
/** BIP-389: receiving and change addresses in one descriptor, as Sparrow exports it. */
const RECEIVE_AND_CHANGE = '<0;1>';

/** Change goes to another branch of the wallet, so it is never mistaken for a payment. */
export function readDescriptor(format: AddressFormat, field: string, text: string): ReceiveDescriptor {
  const refuse = (rule: string, message: string): DomainError => invalidField(field, rule, message);
  refusePrivateKeys(field, text);
  if (text.length > MAX_DESCRIPTOR_LENGTH) {
    throw refuse('max_length', `must have at most ${MAX_DESCRIPTOR_LENGTH} characters.`);
  }
  refuseNonDescriptorKeys(format, field, text);
  const body = removeChecksum(text, refuse);
  const [script, expression] = splitScriptAndKey(body, refuse);
  const [, origin, key, steps] = KEY_EXPRESSION.exec(expression) ?? [];
  if (key === undefined || steps === undefined) {
    throw refuse('key_expression', 'must have one key in the brackets: [fingerprint/path]xpub…/0/*.');
  }
  const account = readAccountKey(format, key, refuse);
  const path = readReceivePath(steps, refuse);
  if (!account.canDerive(path.length + 1)) {
    throw refuse('receive_branch', 'has a key that is too deep to derive addresses.');
  }
  return {
    format,
    script,
    origin: origin === undefined ? null : abbreviateOrigin(script, origin, refuse),
    path: path.map((step) => `/${step}`).join(''),
    account,
    branch: path.reduce((parent, step) => parent.child(step), account),
  };
}

type DescriptorErrorFactory = (rule: string, message: string) => DomainError;

function removeChecksum(text: string, refuse: DescriptorErrorFactory): string {
  const foreign = indexOfInvalidCharacter(text);
  if (foreign >= 0) {
    throw refuse('descriptor_character', `has an invalid character at position ${foreign + 1}.`);
  }
  const at = text.lastIndexOf('#');
  if (at < 0 || at === text.length - 1) {
    throw refuse(
      'descriptor_checksum',
      'must end in # and a checksum of eight characters (BIP-380), as wallets export it. `bitcoin-cli ' +
        'getdescriptorinfo` computes one.',
    );
  }
  const body = text.slice(0, at);
  if (text.slice(at + 1) !== descriptorChecksum(body)) {
    throw refuse('descriptor_checksum', 'does not match its checksum. Copy it from the wallet again.');
  }
  return body;
}

function splitScriptAndKey(
  body: string,
  refuse: DescriptorErrorFactory,
): [ReceiveDescriptor['script'], string] {
  for (const [script, pattern] of SCRIPT_EXPRESSIONS) {
    const [, expression] = pattern.exec(body) ?? [];
    if (expression !== undefined) return [script, expression];
  }
  const message = body.startsWith('tr(')
    ? 'must not have a script tree: use tr(KEY).'
    : `is not supported. ${ONE_SIGNER_RULE}`;
  throw refuse('descriptor_script', message);
}

function readAccountKey(
  format: AddressFormat,
  key: string,
  refuse: DescriptorErrorFactory,
): ExtendedPublicKey {
  const bytes = decodeBase58(key);
  const account = bytes === null ? null : ExtendedPublicKey.read(bytes);
  if (bytes === null || account === null) {
    const message = `must have an extended public key (${format.keyPrefix}…) with a valid checksum.`;
    throw refuse('extended_public_key', message);
  }
  if (createView(bytes).getUint32(0) !== format.keyVersion) {
    const message = `has a key of another network. Keys of ${format.name} begin with ${format.keyPrefix}.`;
    throw refuse('key_network', message);
  }
  return account;
}

function readReceivePath(steps: string, refuse: DescriptorErrorFactory): number[] {
  const path = steps.split('/').slice(1);
  if (path.some((step) => /[hH']$/.test(step))) {
    throw refuse(
      'hardened_step',
      'has a hardened step after the key, which needs the private key. Export the key from below that step.',
    );
  }
  if (path.pop() !== '*') {
    throw refuse('wildcard', 'must end in /*, so that each payment request has its own address.');
  }
  const branch = path.pop();
  const numbers = path.map((step) => (/^[0-9]{1,10}$/.test(step) ? Number(step) : FIRST_HARDENED_INDEX));
  if (
    (branch !== '0' && branch !== RECEIVE_AND_CHANGE) ||
    numbers.some((step) => step >= FIRST_HARDENED_INDEX)
  ) {
    throw refuse(
      'receive_branch',
      `must end in /0/* or /${RECEIVE_AND_CHANGE}/*: wallets use /0/* to receive and other branches for change.`,
    );
  }
  return [...numbers, 0];
}

function abbreviateOrigin(
  script: ReceiveDescriptor['script'],
  origin: string,
  refuse: DescriptorErrorFactory,
): string {
  const [, fingerprint, steps] = KEY_ORIGIN.exec(origin) ?? [];
  if (
    fingerprint === undefined ||
    steps === undefined ||
    steps.match(/[0-9]+/g)?.some((step) => Number(step) >= FIRST_HARDENED_INDEX)
  ) {
    throw refuse('key_origin', 'has an origin that is not [fingerprint/path], such as [d34db33f/84h/0h/0h].');
  }
  const spelled = `[${fingerprint.toLowerCase()}${steps.replace(/[hH]/g, "'")}]`;
  return script === 'sh(wpkh)' ? `sh(wpkh(${spelled}))` : `${script}(${spelled})`;
}
