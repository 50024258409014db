import type { Role } from './principal.js';

/** Reading methods want `read`, all others `write`. HEAD is served by GET's handler. */
export function roleOfMethod(method: string): Role {
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}
