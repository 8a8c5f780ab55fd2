//! Why a request is refused, by who sends it.

use attractor_exec::Sender;

/// Why nothing is taken from a sender; none from one whose requests are.
pub fn refusal(sender: Sender) -> Option<&'static str> {
    match sender {
        Sender::Independent => None,
        Sender::Descendant => Some(
            "it comes from a command that this run started; a person answers in another terminal, the editor or the page",
        ),
        Sender::OtherUser => {
            Some("it comes from another user; the user who started the run answers")
        }
        Sender::Unknown => Some(
            "its sender cannot be determined; answer on the machine and in the container of the run",
        ),
    }
}
