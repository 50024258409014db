export { freePort } from '../../src/sandbox/free-port.js';
