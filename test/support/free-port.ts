export { freePort } from '../../src/sandbox/processes/free-port.js';
