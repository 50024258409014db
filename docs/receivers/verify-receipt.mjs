// node verify-receipt.mjs receipt.json naspip-keys.json
import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

const [document, keys] = process.argv.slice(2, 4).map((file) => JSON.parse(readFileSync(file, 'utf8')));
const [header, , signature] = document.signature.split('.');
const { typ, iss, kid, iat } = JSON.parse(Buffer.from(header, 'base64url'));
const { publicKey, kep } = keys[iss]?.[kid] ?? {};
if (typ !== 'payment-receipt+jws') throw new Error('The document is not a payment receipt.');
if (publicKey === undefined) throw new Error('The keys do not contain the key of the receipt.');
if (iat * 1000 > Date.parse(kep)) throw new Error('The receipt was signed after its key had expired.');

// Canonical JSON (RFC 8785) for values without fractions: sorted members, no spaces.
const sorted = (value) => Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
const inOrder = (_, value) => (value?.constructor === Object ? sorted(value) : value);
const payload = Buffer.from(JSON.stringify(document.receipt, inOrder)).toString('base64url');

const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey.slice('k4.public.'.length) };
const key = createPublicKey({ format: 'jwk', key: jwk });
const isSigned = verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'));
if (!isSigned) throw new Error('The signature is invalid. The receipt was changed.');
console.log(document.receipt.status, document.receipt.received.amount, document.receipt.received.symbol);
