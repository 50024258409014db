// The loader puts this in the place of the package for the service, which uses these two functions: passwords are hashed in threads.
import { hash as realHash, verify as realVerify } from '@node-rs/argon2';
import { counted } from './threads.js';

export function hash(...values: Parameters<typeof realHash>): Promise<string> {
  return counted(realHash(...values));
}

export function verify(...values: Parameters<typeof realVerify>): Promise<boolean> {
  return counted(realVerify(...values));
}
