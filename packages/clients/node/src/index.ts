export { Compliance } from './client.ts';
export * from './errors.ts';
export type { CallOptions, ClientOptions } from './exchange.ts';
export type { JobFile, WaitOptions } from './job-files.ts';
export type { RateLimitWindow } from './limits.ts';
export type * from './models.gen.ts';
export { type RequestEvent, type ResponseEvent, type ResponseInfo, responseOf } from './response.ts';
export { verifyWebhook, type WebhookHeaders, WebhookVerificationError } from './webhook.ts';
