import 'reflect-metadata';
import { runProcess } from './app/run-process.js';
import { startWorker } from './app/worker.js';

await runProcess('worker', startWorker);
