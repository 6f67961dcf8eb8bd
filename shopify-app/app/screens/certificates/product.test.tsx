import { describeStates } from '../testing/describe-states.ts';
import { STATES } from './product.states.tsx';

describeStates('the certificates of a product', STATES);
