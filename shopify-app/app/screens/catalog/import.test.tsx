import { describeStories } from '../testing/describe-stories.ts';
import { STORIES } from './import.stories.tsx';

describeStories('the import', STORIES);
