export { type Job, type JobState, type NewQueuedJob, URGENT } from './job.ts';
export type { DeadLetter, LeasedJob, Queue } from './queue.ts';
export { type JobRun, type QueueWorkerDeps, startQueueWorker, type Worker, waitUntil } from './worker.ts';
