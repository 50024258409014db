import 'reflect-metadata';
import { startApi } from './app/api.js';
import { runProcess } from './app/run-process.js';

await runProcess('api', startApi);
