//! By which rules an agent is judged.

use std::sync::Arc;

use agent::Rules;

use crate::{State, Workspace};

impl State {
    /// Those for a program that goes by that name in a folder. What the folder says counts once the
    /// user trusts it.
    pub(crate) fn rules_in(
        &self,
        workspace: &Workspace,
        name: &str,
        command: &[String],
    ) -> Arc<Rules> {
        let program = command.first().map_or("", String::as_str);
        Arc::new(workspace.project.held_over(&self.config).rules(name, program))
    }

    /// Lets running agents have the rules that hold now.
    pub(crate) fn renew_rules(&mut self) {
        let rules = self.workspaces.iter().map(|workspace| {
            let agent = workspace.agent.as_ref()?;
            Some(self.rules_in(workspace, agent.name(), agent.command()))
        });
        let rules: Vec<Option<Arc<Rules>>> = rules.collect();
        for (workspace, rules) in self.workspaces.iter_mut().zip(rules) {
            if let (Some(agent), Some(rules)) = (&mut workspace.agent, rules) {
                agent.set_rules(rules);
            }
        }
    }
}
