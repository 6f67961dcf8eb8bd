import { describeStates } from '../testing/describe-states.ts';
import { STATES } from './import.states.tsx';

describeStates('the import', STATES);
