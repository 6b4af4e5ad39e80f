export * from './types/all.js';
